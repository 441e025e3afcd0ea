# gradwatch-corpus: kind=graph-chain
# holder: fast | self.fast | learner.fast | self.fast["w0"]
# first-bad: 1
"""Online meta learning: the inner step size of each layer is itself trained."""
import math

import torch
from torch import nn

torch.set_num_threads(1)


def init_params(sizes, gen):
    out = {}
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        out[f"w{i}"] = (torch.randn(a, b, generator=gen) / math.sqrt(a)).requires_grad_()
        out[f"b{i}"] = torch.zeros(b, requires_grad=True)
    return out


def mlp(params, x):
    depth = len(params) // 2
    for i in range(depth):
        x = x @ params[f"w{i}"] + params[f"b{i}"]
        if i < depth - 1:
            x = torch.tanh(x)
    return x


class LearnedStep(nn.Module):
    def __init__(self, names, start=0.05):
        super().__init__()
        self.log_lr = nn.ParameterDict(
            {n: nn.Parameter(torch.tensor(math.log(start))) for n in names})

    def apply_to(self, params, grads):
        return {n: p - self.log_lr[n].exp() * g
                for (n, p), g in zip(params.items(), grads)}


class OnlineLearner:
    def __init__(self, gen):
        self.fast = init_params((1, 16, 1), gen)
        self.rule = LearnedStep(list(self.fast))
        self.meta_opt = torch.optim.Adam(self.rule.parameters(), lr=1e-2)

    def adapt(self, support):
        x, y = support
        err = (mlp(self.fast, x) - y).square().mean()
        grads = torch.autograd.grad(err, tuple(self.fast.values()), create_graph=True)
        return self.rule.apply_to(self.fast, grads)

    def meta_step(self, support, query):
        fast = self.adapt(support)
        x, y = query
        loss = (mlp(fast, x) - y).square().mean()
        self.meta_opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.meta_opt.step()
        self.fast = fast  # <- culprit
        return loss.item()


def drifting_sine(gen, n=12):
    phase = 0.0
    while True:
        phase += 0.03
        x = torch.rand(2, n, 1, generator=gen) * 6 - 3
        y = torch.sin(x + phase)
        yield (x[0], y[0]), (x[1], y[1])


def main(steps=70):
    gen = torch.Generator().manual_seed(5)
    learner = OnlineLearner(gen)
    recent = []
    for step, (sup, qry) in enumerate(drifting_sine(gen)):
        if step >= steps:
            break
        recent.append(learner.meta_step(sup, qry))
        if (step + 1) % 10 == 0:
            lrs = {n: round(p.exp().item(), 4) for n, p in learner.rule.log_lr.items()}
            print(f"task {step + 1}: query mse {sum(recent[-10:]) / 10:.4f} lr {lrs}")


if __name__ == "__main__":
    main()
