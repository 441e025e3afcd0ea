import torch
import torch.nn.functional as F


class CharRNN:
    def __init__(self, v, hidden):
        self.v = v
        self.hidden = hidden
        self.params = {
            "Wxh": torch.randn(v, hidden) * 0.1,
            "Whh": torch.randn(hidden, hidden) * 0.1,
            "Why": torch.randn(hidden, v) * 0.1,
            "bh": torch.zeros(hidden),
            "by": torch.zeros(v),
        }
        for p in self.params.values():
            p.requires_grad_()
        self.reset()

    def reset(self):
        self.h = torch.zeros(self.hidden)

    def cell(self, x, h):
        p = self.params
        return torch.tanh(p["Wxh"][x] + h @ p["Whh"] + p["bh"])

    def loss(self, inputs, targets):
        h = self.h  # <- culprit
        total = 0.0
        for x, y in zip(inputs, targets):
            h = self.cell(x, h)
            logits = h @ self.params["Why"] + self.params["by"]
            total = total + F.cross_entropy(logits[None], torch.tensor([y]))
        self.h = h  # <- culprit
        return total

    @torch.no_grad()
    def sample(self, seed, n):
        h, x, out = self.h, seed, []
        for _ in range(n):
            h = self.cell(x, h)
            p = torch.softmax(h @ self.params["Why"] + self.params["by"], 0)
            x = int(torch.multinomial(p, 1))
            out.append(x)
        return out
