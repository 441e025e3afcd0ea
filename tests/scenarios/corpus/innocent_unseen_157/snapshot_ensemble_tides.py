# gradwatch-corpus: kind=none
"""Tide forecasts: accumulated gradients with a remainder, the best snapshots kept, one penalty per update."""
import copy
import heapq

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(87)


class PerUpdate:
    """A value that depends on the weights only: built once between two optimizer steps."""

    def __init__(self, build, optimizer):
        self.build = build
        self.value = None
        optimizer.register_step_post_hook(self.forget)

    def forget(self, *unused):
        self.value = None

    def __call__(self):
        if self.value is None:
            self.value = self.build()
        return self.value


class TideNet(nn.Module):
    def __init__(self, past=24, width=20, harmonics=6):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(past, width), nn.Tanh(), nn.Linear(width, harmonics))
        self.basis = nn.Parameter(0.3 * torch.randn(harmonics, 12))

    def forward(self, past):
        return self.body(past) @ self.basis

    def roughness(self):
        bend = self.basis[:, 2:] - 2 * self.basis[:, 1:-1] + self.basis[:, :-2]
        gram = self.basis @ self.basis.t()
        return bend.pow(2).mean() + 0.05 * (gram - torch.eye(len(gram))).pow(2).mean()


class BestSnapshots:
    def __init__(self, keep):
        self.keep = keep
        self.heap = []

    def offer(self, error, tag, model):
        entry = (-error, tag, copy.deepcopy(model.state_dict()))
        if len(self.heap) < self.keep:
            heapq.heappush(self.heap, entry)
        elif entry > self.heap[0]:
            heapq.heapreplace(self.heap, entry)

    @torch.no_grad()
    def forecast(self, model, past):
        member, total = copy.deepcopy(model), 0.0
        for _, _, state in self.heap:
            member.load_state_dict(state)
            total = total + member(past)
        return total / len(self.heap)


def gauge(count=700):
    t = torch.arange(float(count))
    level = torch.sin(6.283 * t / 12.42) + 0.4 * torch.sin(6.283 * t / 24.07) + 0.08 * torch.randn(count)
    windows = level.unfold(0, 36, 3)
    return windows[:, :24], windows[:, 24:]


def main(epochs=14, micro=7, every=4):
    past, future = gauge()
    cut = int(0.8 * len(past))
    model = TideNet()
    optimizer = torch.optim.NAdam(model.parameters(), lr=6e-3)
    penalty = PerUpdate(model.roughness, optimizer)
    best = BestSnapshots(keep=3)
    for epoch in range(epochs):
        parts = list(torch.randperm(cut).split(micro))
        for k, rows in enumerate(parts):
            first = k - k % every
            share = 1.0 / min(every, len(parts) - first)
            last = (k + 1) % every == 0 or k + 1 == len(parts)
            loss = share * (nn.functional.mse_loss(model(past[rows]), future[rows]) + 0.1 * penalty())
            loss.backward(retain_graph=not last)
            if last:
                optimizer.step()
                optimizer.zero_grad()
        model.eval()
        with torch.no_grad():
            error = nn.functional.l1_loss(model(past[cut:]), future[cut:]).item()
        model.train()
        best.offer(error, epoch, model)
        if epoch % 2:
            print(f"epoch {epoch} held out {error:.4f}")
    blend = nn.functional.l1_loss(best.forecast(model, past[cut:]), future[cut:]).item()
    print(f"ensemble of epochs {sorted(e[1] for e in best.heap)}: {blend:.4f}")


if __name__ == "__main__":
    main()
