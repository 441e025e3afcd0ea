import torch


class Telemetry:
    def __init__(self, channels, turbines=5):
        self.mix = torch.randn(turbines, 3, channels) * 0.5
        self.turbines = turbines

    def read(self, n):
        k = int(torch.randint(self.turbines, ()))
        x = torch.tanh(torch.randn(n, 3) @ self.mix[k]) + 0.05 * torch.randn(n, self.mix.shape[-1])
        if torch.rand(()) < 0.05:
            x[:, :3] += 2.0
        return x, f"T{k}"
