"""Writes train.bin and val.bin, files of tokens as llm.c reads them, into the current folder."""

import random
import struct

MAGIC, VERSION, VOCABULARY = 20240520, 1, 50257


def write(path, count):
    header = [MAGIC, VERSION, count] + 253 * [0]
    tokens = [min(VOCABULARY - 1, int(random.paretovariate(0.6))) for _ in range(count)]
    with open(path, "wb") as file:
        file.write(struct.pack("<256i", *header) + struct.pack(f"<{count}H", *tokens))


random.seed(1)
write("train.bin", 20000)
write("val.bin", 4000)
