import torch


def start_params(width):
    sizes = {"w_state": (3, width), "w_gust": (2, width), "b": (width,), "w_out": (width, 3)}
    return {k: (0.3 * torch.randn(s)).requires_grad_() for k, s in sizes.items()}


def advance(p, state, gust):
    h = torch.tanh(state @ p["w_state"] + gust @ p["w_gust"] + p["b"])
    return 0.7 * state + h @ p["w_out"]


def droplets(params, passes):
    """Forecast of (height, drift, density) of the spray for each second, with what was measured."""
    state = passes.first()
    for gust, measured in passes:
        state = advance(params, state, gust)  # <- culprit
        yield state, measured
