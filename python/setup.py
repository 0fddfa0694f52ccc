"""A wheel with a simulator inside is of one platform, but of any Python 3: cffi loads the library."""
from pathlib import Path

from setuptools import Distribution, setup

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

has_simulator = (Path(__file__).parent / "src/pysimsm/simulator").exists()


class Tagged(bdist_wheel):
    """The wheel, with its tag."""

    def get_tag(self):
        _, _, platform = super().get_tag()
        return "py3", "none", platform if has_simulator else "any"


class WithSimulator(Distribution):
    """The package, of one platform if the simulator is inside."""

    def has_ext_modules(self):
        return has_simulator


setup(cmdclass={"bdist_wheel": Tagged}, distclass=WithSimulator)
