"""Runs training steps of small networks, and tells how long the kernels of one step take.

    steps.py [--profile] [NETWORK ...]    all by default

Each network takes three steps. The third lies between cudaProfilerStart and cudaProfilerStop, so
that simsm's table tells its kernels; with --profile, on a GPU, PyTorch's profiler measures them, and
rows of CSV are printed: network, kernel, nanoseconds.
"""
import sys

import torch
from torch import nn
from torch.nn import functional
from torch.profiler import ProfilerActivity, profile

import gpt
from products import plain


def data(*shape, classes=0):
    numbers = torch.Generator().manual_seed(1)
    if classes:
        return torch.randint(classes, shape, generator=numbers).cuda()
    return torch.randn(*shape, generator=numbers).cuda()


def step_of(model, optimizer, loss_of):
    def step():
        optimizer.zero_grad()
        loss_of(model).backward()
        optimizer.step()

    return step


def gpt_step():
    model = gpt.Gpt().cuda()
    tokens = data(gpt.BATCH, gpt.TOKENS + 1, classes=gpt.VOCABULARY)
    return step_of(model, torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True),
                   lambda m: m(tokens[:, :-1], tokens[:, 1:]))


def perceptron_step():
    model = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(),
                          nn.Linear(512, 10)).cuda()
    images, classes = data(256, 784), data(256, classes=10)
    return step_of(model, torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9),
                   lambda m: functional.cross_entropy(m(images), classes))


def convolutions_step():
    def layer(inputs, outputs, stride):
        return [nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs),
                nn.ReLU()]

    model = nn.Sequential(*layer(3, 32, 1), *layer(32, 64, 2), *layer(64, 128, 2),
                          nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(128, 10)).cuda()
    images, classes = data(32, 3, 32, 32), data(32, classes=10)
    return step_of(model, torch.optim.Adam(model.parameters()),
                   lambda m: functional.cross_entropy(m(images), classes))


def encoder_step():
    model = nn.TransformerEncoderLayer(256, 4, 1024, dropout=0.0, batch_first=True).cuda()
    sequences = data(16, 128, 256)

    def loss_of(m):
        with torch.autocast('cuda', torch.bfloat16):
            return m(sequences).square().mean()

    return step_of(model, torch.optim.AdamW(model.parameters(), fused=True), loss_of)


def recurrent_step():
    model = nn.LSTM(64, 128, batch_first=True).cuda()
    sequences = data(32, 16, 64)
    return step_of(model, torch.optim.Adam(model.parameters(), foreach=True),
                   lambda m: m(sequences)[0].square().mean())


NETWORKS = {'gpt': gpt_step, 'perceptron': perceptron_step, 'convolutions': convolutions_step,
            'encoder': encoder_step, 'recurrent': recurrent_step}


def main():
    names = [name for name in sys.argv[1:] if name != '--profile']
    torch.backends.cudnn.deterministic = True
    for name in names or NETWORKS:
        torch.manual_seed(1337)
        step = NETWORKS[name]()
        step()
        step()
        torch.cuda.synchronize()
        if '--profile' not in sys.argv:
            torch.cuda.profiler.start()
            step()
            torch.cuda.profiler.stop()
            continue
        with profile(activities=[ProfilerActivity.CUDA]) as profiler:
            step()
            torch.cuda.synchronize()
        events = [e for e in profiler.profiler.kineto_results.events()
                  if e.device_type() == torch.autograd.DeviceType.CUDA]
        for event in sorted(events, key=lambda e: e.start_ns()):
            if not event.name().startswith(('Memcpy', 'Memset')):
                print(f'{name},{plain(event.name())},{event.duration_ns()}')


if __name__ == '__main__':
    main()
