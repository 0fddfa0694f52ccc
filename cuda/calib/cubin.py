"""Puts assembled code into a cubin that nvcc has made of empty kernels."""
import os
import struct
import subprocess

REGCOUNT = 0x2f04               # an entry of .nv.info: {u16 this, u16 8, u32 symbol, u32 registers}


def carrier(kernels):
    """CUDA source with the kernels' names, each with more code than it needs: one barrier a line."""
    source = ["__constant__ unsigned table[16384];\n"] if any(k.constant for k in kernels) else []
    for kernel in kernels:
        lines = "bar.sync 0;\\n" * (len(kernel.words()) + 8)
        table = " + table[n]" if kernel.constant else ""
        source.append(f'extern "C" __global__ void {kernel.name}(unsigned *out, int n) '
                      f'{{ __shared__ unsigned s[{kernel.shared // 4}]; s[n] = n; asm volatile("{lines}"); '
                      f'out[n] = s[n + 1]{table}; }}\n')
    return "".join(source)


def compile_carrier(kernels, path, nvcc):
    source = path + ".cu"
    with open(source, "w") as file:
        file.write(carrier(kernels))
    subprocess.run([nvcc, "-cubin", "-arch=sm_90", "-o", path, source], check=True)
    os.remove(source)


class Cubin:
    """The bytes of an ELF file and its sections: name -> (offset, size, number)."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = bytearray(file.read())
        table, = struct.unpack_from("<Q", self.data, 0x28)
        size, count, names = struct.unpack_from("<HHH", self.data, 0x3a)
        headers = [struct.unpack_from("<IIQQQQII", self.data, table + i * size) for i in range(count)]
        strings = headers[names][4]
        self.sections = {self.string(strings + h[0]): (h[4], h[5], i) for i, h in enumerate(headers)}

    def string(self, at):
        return self.data[at:self.data.index(0, at)].decode()

    def symbol(self, name):
        """The number of a symbol."""
        offset, size, _ = self.sections[".symtab"]
        strings = self.sections[".strtab"][0]
        for i in range(size // 24):
            entry, = struct.unpack_from("<I", self.data, offset + 24 * i)
            if self.string(strings + entry) == name:
                return i
        raise KeyError(name)

    def set_registers(self, name, registers):
        offset, size, _ = self.sections[".nv.info"]
        wanted = struct.pack("<HHI", REGCOUNT, 8, self.symbol(name))
        at = self.data.index(wanted, offset, offset + size)
        struct.pack_into("<I", self.data, at + len(wanted), registers)

    def set_code(self, kernel):
        """Replaces the kernel's code; what is left of the carrier's becomes NOP."""
        offset, size, _ = self.sections[".text." + kernel.name]
        words = kernel.words()
        words += [0x000fc00000000000_0000000000007918] * (size // 16 - len(words))
        assert len(words) * 16 == size, f"{kernel.name}: the carrier is too small"
        for i, word in enumerate(words):
            struct.pack_into("<QQ", self.data, offset + 16 * i, word & (1 << 64) - 1, word >> 64)
        self.set_registers(kernel.name, kernel.registers)


def write(kernels, path, nvcc):
    """Makes the cubin `path` of kernels."""
    compile_carrier(kernels, path, nvcc)
    cubin = Cubin(path)
    for kernel in kernels:
        cubin.set_code(kernel)
    with open(path, "wb") as file:
        file.write(cubin.data)


def unstall(path, opcodes):
    """Sets the stall count, bits 108:105, to 1 where instructions with these opcodes (low 9 bits) follow
    one another: a scoreboard's increment needs longer, but these do not wait for what they set."""
    cubin = Cubin(path)
    for name, (offset, size, _) in cubin.sections.items():
        if not name.startswith(".text."):
            continue
        words = [struct.unpack_from("<QQ", cubin.data, at) for at in range(offset, offset + size, 16)]
        for i, ((low, high), (after, _)) in enumerate(zip(words, words[1:])):
            if low & 0x1ff in opcodes and after & 0x1ff in opcodes:
                struct.pack_into("<Q", cubin.data, offset + 16 * i + 8, high & ~(0xf << 41) | 1 << 41)
    with open(path, "wb") as file:
        file.write(cubin.data)
