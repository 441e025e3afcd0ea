# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F
from torch.func import functional_call


class Oscillator(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.l1 = nn.Linear(1, width)
        self.l2 = nn.Linear(width, width)
        self.l3 = nn.Linear(width, 1)

    def forward(self, t):
        return self.l3(torch.tanh(self.l2(torch.tanh(self.l1(t)))))


class DampedTasks:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def sample(self, shots=10):
        freq, damp, phase = torch.rand(3, generator=self.gen).tolist()

        def draw(n):
            t = torch.rand(n, 1, generator=self.gen) * 4
            y = torch.exp(-damp * t) * torch.sin((1 + 2 * freq) * t + 3 * phase)
            return t, y

        return draw(shots), draw(shots)


class MAML:
    def __init__(self, model, inner_steps=2):
        self.model = model
        self.inner_steps = inner_steps
        self.log_alpha = nn.Parameter(torch.tensor(-3.0))
        self.opt = torch.optim.Adam([*model.parameters(), self.log_alpha], lr=2e-3)
        self.inner_trace = []

    def adapt(self, support):
        t, y = support
        fast = dict(self.model.named_parameters())
        for _ in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.model, fast, (t,)), y)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            fast = {k: v - self.log_alpha.exp() * g for (k, v), g in zip(fast.items(), grads)}
            self.inner_trace.append(loss)
        return fast

    def meta_step(self, tasks):
        self.inner_trace = []
        outer = []
        for support, (t, y) in tasks:
            fast = self.adapt(support)
            outer.append(F.mse_loss(functional_call(self.model, fast, (t,)), y))
        loss = torch.stack(outer).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        first = sum(l.item() for l in self.inner_trace[:: self.inner_steps]) / len(outer)
        return first, loss.item()


def main():
    torch.manual_seed(1)
    tasks = DampedTasks(seed=1)
    maml = MAML(Oscillator())
    before, after = [], []
    for it in range(420):
        b, a = maml.meta_step([tasks.sample() for _ in range(3)])
        before.append(b)
        after.append(a)
        if it % 70 == 69:
            print(it + 1, f"{sum(before[-40:]) / 40:.4f} -> {sum(after[-40:]) / 40:.4f}",
                  f"alpha {maml.log_alpha.exp().item():.4f}")


if __name__ == "__main__":
    main()
