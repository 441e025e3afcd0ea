# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(80)


class LstmOptimizer(nn.Module):
    def __init__(self, hidden=12):
        super().__init__()
        self.cell = nn.LSTMCell(2, hidden)
        self.out = nn.Linear(hidden, 1)
        self.hidden = hidden

    def start(self, n):
        return torch.zeros(n, self.hidden), torch.zeros(n, self.hidden)

    def forward(self, grad, state):
        g = grad.detach()
        feat = torch.stack([g.abs().add(1e-6).log() / 8, g.sign()], -1)
        h, c = self.cell(feat, state)
        return 0.05 * self.out(h).squeeze(-1), (h, c)


class Quadratic:
    def __init__(self, n=6):
        self.a, self.b = torch.randn(n, n) / n ** 0.5, torch.randn(n)
        self.n = n

    def __call__(self, theta):
        return (self.a @ theta - self.b).pow(2).sum()


class Unroller:
    """Meta-trains the optimizer over pieces of a long run."""

    def __init__(self, opt_net, unroll=5):
        self.net, self.unroll = opt_net, unroll
        self.meta = torch.optim.Adam(opt_net.parameters(), 3e-3)

    def run(self, problem, length=20):
        theta, state = torch.randn(problem.n, requires_grad=True), self.net.start(problem.n)
        piece, values = [], []
        for t in range(length):
            value = problem(theta)
            piece.append(value)
            values.append(value.item())
            grad, = torch.autograd.grad(value, theta, retain_graph=True)
            step, state = self.net(grad, state)
            theta = theta + step
            if (t + 1) % self.unroll == 0:
                meta_loss = torch.stack(piece).sum() + problem(theta)
                self.meta.zero_grad()
                meta_loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                self.meta.step()
                piece = []
                theta = theta.detach().requires_grad_()
                state = tuple(s.detach() for s in state)
        return values


def main():
    trainer = Unroller(LstmOptimizer())
    finals = []
    for episode in range(25):
        values = trainer.run(Quadratic())
        finals.append(values[-1] / values[0])
        if episode % 6 == 0:
            print(episode, f"kept {sum(finals[-6:]) / len(finals[-6:]):.3f}")


if __name__ == "__main__":
    main()
