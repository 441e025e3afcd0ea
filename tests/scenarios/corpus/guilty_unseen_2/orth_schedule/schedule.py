import enum


class Phase(enum.Enum):
    WARMUP = 0
    REGULARISED = 1


def phases(warmup, total):
    for s in range(total):
        yield s, Phase.WARMUP if s < warmup else Phase.REGULARISED
