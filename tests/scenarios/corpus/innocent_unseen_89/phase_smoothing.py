# gradwatch-corpus: kind=none
"""Linear read-out of a calcium signal with a smoothness term over the last predictions.

The curriculum lengthens the span of the smoothness term. Predictions inside the span stay differentiable (they are linear in
the read-out weights, so their gradients are those of today).
"""
import torch

torch.set_num_threads(1)
torch.manual_seed(55)

CELLS = 30
PHASES = [(0, 2), (60, 5), (140, 11), (230, 19)]  # (first step, span)
STEPS = 520


class Recording:
    """A slow latent variable seen through many noisy cells."""

    def __init__(self):
        self.load = torch.randn(CELLS)
        self.latent = 0.0

    def frame(self):
        self.latent = 0.97 * self.latent + 0.25 * float(torch.randn(()))
        return self.load * self.latent + 0.8 * torch.randn(CELLS), torch.tensor(self.latent)


class Span:
    def __init__(self):
        self.size = PHASES[0][1]
        self.items = []

    def resize(self, step):
        for first, size in PHASES:
            if step >= first:
                self.size = size

    def append(self, item):
        self.items = [*self.items, item][-self.size:]

    def roughness(self):
        if len(self.items) < 3:
            return torch.zeros(())
        path = torch.stack(self.items)
        bend = path[2:] - 2 * path[1:-1] + path[:-2]
        return bend.square().mean()


def fit():
    rec = Recording()
    readout = torch.zeros(CELLS, requires_grad=True)
    offset = torch.zeros((), requires_grad=True)
    opt = torch.optim.SGD([readout, offset], lr=4e-3)
    span = Span()
    err, rough_avg = 0.0, 0.0
    for step in range(STEPS):
        span.resize(step)
        x, y = rec.frame()
        pred = readout @ x + offset
        span.append(pred)
        miss = (pred - y).square()
        rough = span.roughness()
        loss = miss + 0.3 * rough

        opt.zero_grad()
        # predictions in the span take part in the next steps' losses as well
        loss.backward(retain_graph=True)
        opt.step()

        err = 0.97 * err + 0.03 * miss.item()
        rough_avg = 0.97 * rough_avg + 0.03 * rough.item()
        if (step + 1) % 104 == 0:
            print(f"step {step + 1}: span {span.size}, miss {err:.4f}, roughness {rough_avg:.4f}")
    return readout.detach(), rec.load


w, load = fit()
print(f"cosine of read-out and loading: {torch.cosine_similarity(w, load, dim=0).item():.3f}")
