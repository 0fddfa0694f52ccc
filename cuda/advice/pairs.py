"""The pairs of faulty and mended kernels: those of this folder, and those from public collections."""
import glob
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
VARIANTS = ("faulty", "mended")


class Variant:
    """A program, and which of its launches count: all, by a regular expression, or A:B from 1."""

    def __init__(self, command, kernels=None, launches=None):
        self.command, self.kernels, self.launches = command, kernels, launches

    def choice(self):
        """Returns the options of simsm that choose the launches."""
        return ((["--kernels", self.kernels] if self.kernels else [])
                + (["--launches", self.launches] if self.launches else []))


class Pair:
    def __init__(self, name, fault, variants):
        self.name, self.fault, self.variants = name, fault, variants
        self.whole = fault == "copies_alone"  # a fault of the program, not of its kernels


def add_options(parser):
    parser.add_argument("-a", "--arch", default="sm_90")
    parser.add_argument("-p", "--public", metavar="CHECKOUT")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")


def chosen(given):
    """Returns the pairs that the options of add_options name. Programs are built unless they are there."""
    os.makedirs(given.folder, exist_ok=True)
    all_pairs = public(given) if given.public else own(given)
    missing = set(given.names) - {pair.name for pair in all_pairs}
    if missing:
        sys.exit("%s: there is no such pair" % ", ".join(sorted(missing)))
    return [pair for pair in all_pairs if not given.names or pair.name in given.names]


def compile_program(program, sources, given, flags=()):
    if not os.path.exists(program):
        subprocess.run(["nvcc", "-O3", "-lineinfo", "-arch=" + given.arch, "-cudart", "shared",
                        "-o", program] + list(flags) + sorted(sources), check=True)


def own(given):
    program = os.path.join(given.folder, "advice")
    compile_program(program, glob.glob(os.path.join(HERE, "*.cu")), given)
    listed = subprocess.run([program, "--list"], check=True, stdout=subprocess.PIPE, text=True)
    return [Pair(name, fault, {v: Variant([program, name, v]) for v in VARIANTS})
            for name, fault in (line.split() for line in listed.stdout.splitlines())]


def public(given):
    """The pairs of public.json, whose programs lie in a checkout of their collection."""
    with open(os.path.join(HERE, "public.json")) as file:
        rows = json.load(file)
    return [Pair(row["name"], row["fault"], {v: public_variant(row, v, given) for v in VARIANTS})
            for row in rows if not given.names or row["name"] in given.names]


def public_variant(row, variant, given):
    """Copies the program, edits and builds the copy."""
    this = row[variant]
    copy = os.path.join(os.path.abspath(given.folder), row["name"] + "." + variant)
    program = os.path.join(copy, "program")
    if not os.path.exists(program):
        source = os.path.join(given.public, row["folder"])
        if not os.path.isdir(source):
            sys.exit("%s: there is no %s; check out %s at %s"
                     % (given.public, row["folder"], row["repository"], row["commit"]))
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(source, copy)
        for name, old, new in row["edits"] + this.get("edits", []):
            edit(os.path.join(copy, name), old, new)
        compile_program(program, [os.path.join(copy, s) for s in row["sources"]], given,
                        row.get("flags", []))
    return Variant([program] + row["arguments"], this.get("kernels"), this.get("launches"))


def edit(path, old, new):
    with open(path) as file:
        text = file.read()
    if old not in text:
        sys.exit("%s: has no '%s': not the commit that public.json names" % (path, old))
    with open(path, "w") as file:
        file.write(text.replace(old, new))
