"""Theoretical occupancy: how many blocks fit into an SM, and what limits them."""
from dataclasses import dataclass, field

from pysimsm.arguments import whole
from pysimsm.errors import InputError
from pysimsm.simulator import library


@dataclass(frozen=True)
class Occupancy:
    """blocks, warps: resident in an SM. limiters: the resources that set the limit. limits: blocks that
    each resource allows, None: any number."""
    blocks: int
    warps: int
    max_warps: int
    warps_per_block: int
    limiters: list
    limits: dict
    registers_per_warp: int
    shared_per_block: int
    carveout: int
    _curve: object = field(repr=False, compare=False)

    @property
    def percent(self):
        """Resident warps, of those that the SM can hold."""
        return 100 * self.warps / self.max_warps

    @property
    def limiter(self):
        """The first resource that sets the limit."""
        return self.limiters[0]

    def curve(self, of):
        """Returns [(value, warps)] over one input: "threads", "registers" or "shared"; the others stay.
        Values with which the launch cannot run have 0 warps."""
        return self._curve(of)


def occupancy(gpu, threads, registers, shared=0, *, carveout=None, settings=None):
    """Returns the Occupancy of a launch. threads: of a block; registers: of a thread; shared, carveout:
    bytes of a block, of an SM. Raises InputError for a launch that can never run."""
    found = library()
    config = found.config(gpu, settings)
    given = {"threads": threads, "registers": registers, "shared": shared}
    given = {name: whole(value, name, most=2**32 - 1) for name, value in given.items()}
    unset = 2**32 - 1
    carveout = unset if carveout is None else whole(carveout, "carveout", most=unset - 1)
    values = {"threads": range(32, config.sm_max_threads_per_block + 1, 32),
              "registers": range(1, config.sm_max_registers_per_thread + 1),
              "shared": range(0, config.sm_shared_per_block_optin + 1, config.sm_shared_unit)}

    def compute(threads, registers, shared):
        launch = found.ffi.new("struct simsm_launch *")
        launch.name = b"kernel"
        launch.grid, launch.block = [1, 1, 1], [threads, 1, 1]
        launch.registers, launch.shared_dynamic = registers, shared
        launch.carveout = carveout
        result, error = (found.ffi.new("struct simsm_occupancy *"), found.ffi.new("struct simsm_error *"))
        found.check(found.lib.simsm_occupancy(config, launch, result, error), error)
        return result

    def curve(of):
        if of not in values:
            raise InputError(f"there is no curve over '{of}'; there are {', '.join(values)}")
        return [(value, _warps(compute, {**given, of: value})) for value in values[of]]

    return _occupancy(found, compute(**given), curve)


def _warps(compute, given):
    try:
        return compute(**given).warps
    except InputError:
        return 0


def _occupancy(found, result, curve):
    names = [found.text(found.lib.simsm_limit_names[i]) for i in range(found.lib.SIMSM_LIMIT_COUNT)]
    return Occupancy(
        blocks=result.blocks, warps=result.warps, max_warps=result.max_warps,
        warps_per_block=result.warps_per_block,
        limiters=[name for i, name in enumerate(names) if result.limiters >> i & 1],
        limits={name: None if result.limit[i] == 2**32 - 1 else result.limit[i]
                for i, name in enumerate(names)},
        registers_per_warp=result.registers_per_warp, shared_per_block=result.shared_per_block,
        carveout=result.carveout, _curve=curve)
