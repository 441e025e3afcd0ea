import torch


class ToyAtmosphere:
    """Advected anomalies on a ring of stations."""

    def __init__(self, stations):
        self.stations = stations
        self.state = torch.randn(stations)

    def sequence(self, batch, length):
        state = torch.randn(batch, self.stations)
        frames = [state]
        for _ in range(length):
            advected = 0.8 * state.roll(1, dims=-1) + 0.2 * state
            state = torch.tanh(advected) + 0.05 * torch.randn_like(state)
            frames.append(state)
        return torch.stack(frames, dim=1)
