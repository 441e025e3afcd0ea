# gradwatch-corpus: kind=crashed
# first-bad: 0
# notice: 0
# Small generator of 1-D velocity fields; its energy spectrum should follow k^(-5/3).
import numpy as np
import torch

torch.set_num_threads(1)
torch.manual_seed(1941)


class FieldGenerator(torch.nn.Module):
    def __init__(self, latent=8, n=64):
        super().__init__()
        self.lift = torch.nn.Linear(latent, n)
        self.smooth = torch.nn.Conv1d(1, 1, 5, padding=2, padding_mode="circular")

    def forward(self, z):
        return self.smooth(torch.tanh(self.lift(z)).unsqueeze(1)).squeeze(1)


def energy_spectrum(u):
    amp = np.abs(np.fft.rfft(u.detach().numpy(), axis=-1)) ** 2  # <- culprit
    mean = amp.mean(axis=0)[1:]
    return torch.from_numpy(mean / mean.sum()).float()


def spectrum_loss(u, slope=-5.0 / 3.0):
    spec = energy_spectrum(u)
    k = torch.arange(1, spec.numel() + 1, dtype=torch.float32)
    ideal = k ** slope
    return (spec.log() - (ideal / ideal.sum()).log()).abs().mean()


def main():
    gen = FieldGenerator()
    opt = torch.optim.Adam(gen.parameters(), lr=1e-3)
    for sweep in range(200):
        u = gen(torch.randn(16, 8))
        loss = spectrum_loss(u)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if sweep % 20 == 0:
            print(sweep, loss.item())


if __name__ == "__main__":
    main()
