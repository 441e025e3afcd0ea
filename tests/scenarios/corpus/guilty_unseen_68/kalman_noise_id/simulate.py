"""Near-constant-velocity target, position measured with noise."""
import torch


def target_stream(n_windows, width, dt=0.2, q=0.4, r=0.3, seed=5):
    gen = torch.Generator().manual_seed(seed)
    pos, vel = torch.zeros(()), torch.ones(())
    for _ in range(n_windows):
        ys = []
        for _ in range(width):
            vel = 0.98 * vel + q * dt * torch.randn((), generator=gen)
            pos = 0.9 * pos + dt * vel
            ys.append(pos + r * torch.randn((), generator=gen))
        yield torch.stack(ys)
