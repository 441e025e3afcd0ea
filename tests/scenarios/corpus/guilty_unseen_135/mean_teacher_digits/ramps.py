import math


def sigmoid_rampup(step, length):
    if length == 0:
        return 1.0
    phase = 1.0 - min(max(step, 0), length) / length
    return math.exp(-5.0 * phase * phase)
