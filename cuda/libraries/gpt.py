"""Trains a small GPT on random tokens with PyTorch, and prints the loss of each step.

    gpt.py [STEPS]    20 by default

Weights and data are the same on every machine, and deterministic algorithms are asked for (start it
with CUBLAS_WORKSPACE_CONFIG=:4096:8), so that losses can be compared to the last digit.
"""
import sys

import torch
from torch import nn
from torch.nn import functional

VOCABULARY, TOKENS, CHANNELS, HEADS, LAYERS, BATCH = 65, 64, 128, 4, 4, 12


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(CHANNELS), nn.LayerNorm(CHANNELS)
        self.qkv, self.out = nn.Linear(CHANNELS, 3 * CHANNELS), nn.Linear(CHANNELS, CHANNELS)
        self.wide, self.narrow = nn.Linear(CHANNELS, 4 * CHANNELS), nn.Linear(4 * CHANNELS, CHANNELS)

    def forward(self, x):
        batch, tokens, channels = x.shape
        q, k, v = (y.view(batch, tokens, HEADS, channels // HEADS).transpose(1, 2)
                   for y in self.qkv(self.norm_1(x)).split(channels, 2))
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, tokens, channels))
        return x + self.narrow(functional.gelu(self.wide(self.norm_2(x))))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.token, self.place = nn.Embedding(VOCABULARY, CHANNELS), nn.Embedding(TOKENS, CHANNELS)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(CHANNELS)
        self.head = nn.Linear(CHANNELS, VOCABULARY, bias=False)

    def forward(self, tokens, wanted):
        x = self.token(tokens) + self.place(torch.arange(TOKENS, device=tokens.device))
        for block in self.blocks:
            x = block(x)
        return functional.cross_entropy(self.head(self.norm(x)).view(-1, VOCABULARY),
                                        wanted.reshape(-1))


def main():
    torch.manual_seed(1337)
    torch.use_deterministic_algorithms(True)
    model = Gpt()
    data = torch.randint(VOCABULARY, (20, BATCH, TOKENS + 1), generator=torch.Generator().manual_seed(1))
    model = model.cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
    for step in range(int(sys.argv[1]) if len(sys.argv) > 1 else len(data)):
        tokens = data[step % len(data)].cuda()
        loss = model(tokens[:, :-1], tokens[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f'{step},{loss.item():.9f}', flush=True)


if __name__ == '__main__':
    main()
