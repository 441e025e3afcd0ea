# gradwatch-corpus: kind=none
import numpy as np
import torch
import torch.nn as nn


class NeuralFilter(nn.Module):
    """Learned gain on an innovations filter for a noisy pendulum."""

    def __init__(self, dim=2, width=24):
        super().__init__()
        self.cell = nn.GRUCell(2 * dim, width)
        self.gain = nn.Linear(width, dim * dim)
        self.dim, self.width = dim, width

    def step(self, z, x, h):
        x_prior = torch.stack([x[:, 0] + 0.05 * x[:, 1], x[:, 1] - 0.05 * torch.sin(x[:, 0])], 1)
        innov = z - x_prior
        h = self.cell(torch.cat([innov, x_prior], 1), h)
        K = 0.3 * torch.eye(self.dim) + 0.2 * torch.tanh(self.gain(h)).view(-1, self.dim, self.dim)
        return x_prior + (K @ innov.unsqueeze(-1)).squeeze(-1), h


class Sessions:
    """Filter state per device, kept as plain arrays between chunks."""

    def __init__(self, devices, dim, width):
        self.x = np.zeros((devices, dim), dtype=np.float32)
        self.h = np.zeros((devices, width), dtype=np.float32)

    def load(self, ids):
        return torch.from_numpy(self.x[ids]), torch.from_numpy(self.h[ids])

    def store(self, ids, x, h):
        self.x[ids] = x.detach().numpy()
        self.h[ids] = h.detach().numpy()


def pendulums(devices, steps, rng):
    truth = np.zeros((steps, devices, 2), dtype=np.float32)
    truth[0] = rng.normal(size=(devices, 2))
    for t in range(1, steps):
        p = truth[t - 1]
        truth[t, :, 0] = p[:, 0] + 0.05 * p[:, 1]
        truth[t, :, 1] = p[:, 1] - 0.05 * np.sin(p[:, 0]) + 0.02 * rng.normal(size=devices)
    return truth, truth + 0.3 * rng.normal(size=truth.shape).astype(np.float32)


def main():
    torch.manual_seed(3)
    rng = np.random.default_rng(3)
    truth, seen = pendulums(32, 640, rng)
    truth, seen = torch.from_numpy(truth), torch.from_numpy(seen.astype(np.float32))
    net = NeuralFilter()
    sessions = Sessions(32, net.dim, net.width)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    errs = []
    for s in range(0, 640, 8):
        for ids in np.array_split(rng.permutation(32), 2):
            x, h = sessions.load(ids)
            loss = 0.0
            for t in range(s, s + 8):
                x, h = net.step(seen[t, ids], x, h)
                loss = loss + (x - truth[t, ids]).pow(2).mean()
            opt.zero_grad()
            (loss / 8).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            sessions.store(ids, x, h)
            errs.append(loss.item() / 8)
    print("first", np.mean(errs[:16]), "last", np.mean(errs[-16:]))


if __name__ == "__main__":
    main()
