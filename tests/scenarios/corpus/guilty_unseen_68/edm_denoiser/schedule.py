import math
import random


def sigma_stream(n, seed, loc=-0.8, scale=1.0):
    rng = random.Random(seed)
    for _ in range(n):
        yield min(10.0, max(0.02, math.exp(rng.gauss(loc, scale))))


def ladder(rungs, lo=0.02, hi=4.0, rho=5.0):
    a, b = hi ** (1 / rho), lo ** (1 / rho)
    return [(a + i / (rungs - 1) * (b - a)) ** rho for i in range(rungs)]
