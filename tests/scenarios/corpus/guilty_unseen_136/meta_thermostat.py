# gradwatch-corpus: kind=graph-chain
# holder: learner.fast | self.fast
# first-bad: 1
# notice: 5
"""Meta-learned step sizes for a thermostat response model that adapts online, house after house."""
import torch
import torch.nn.functional as F

torch.set_num_threads(1)


class House:
    def __init__(self, gen):
        self.gen = gen
        self.loss_rate = 0.1 + 0.3 * torch.rand((), generator=gen).item()
        self.power = 0.5 + torch.rand((), generator=gen).item()

    def readings(self, n):
        inside = 15 + 8 * torch.rand(n, generator=self.gen)
        outside = 15 * torch.rand(n, generator=self.gen)
        heat = torch.rand(n, generator=self.gen)
        delta = self.power * heat - self.loss_rate * (inside - outside) / 10
        x = torch.stack([(inside - 19) / 4, (outside - 7) / 5, heat], 1)
        return x, delta.unsqueeze(1)


def init_weights(sizes):
    ws = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        ws.append((torch.randn(b, a) / a ** 0.5).requires_grad_())
        ws.append(torch.zeros(b).requires_grad_())
    return ws


def response(ws, x):
    for i in range(0, len(ws) - 2, 2):
        x = torch.tanh(F.linear(x, ws[i], ws[i + 1]))
    return F.linear(x, ws[-2], ws[-1])


class MetaLearner:
    def __init__(self, meta_lr):
        self.slow = init_weights([3, 6, 1])
        self.log_lr = [torch.full((), -3.5, requires_grad=True) for _ in self.slow]
        self.fast = list(self.slow)
        self.meta_lr = meta_lr

    def adapt(self, support):
        x, y = support
        inner = F.mse_loss(response(self.fast, x), y)
        grads = torch.autograd.grad(inner, self.fast, create_graph=True)
        self.fast = [w - lr.exp() * g for w, lr, g in zip(self.fast, self.log_lr, grads)]  # <- culprit
        return inner.item()

    def meta_step(self, query):
        x, y = query
        outer = F.mse_loss(response(self.fast, x), y)
        outer.backward(retain_graph=True)
        for i, lr in enumerate(self.log_lr):
            moved = lr.detach() - self.meta_lr * lr.grad.clamp(-1, 1)
            self.log_lr[i] = moved.clamp(-6, -1.5).requires_grad_()
        for w in self.slow:
            w.grad = None
        return outer.item()


def main(visits=170):
    torch.manual_seed(9)
    gen = torch.Generator().manual_seed(9)
    houses = [House(gen) for _ in range(4)]
    learner = MetaLearner(meta_lr=0.05)
    track = []
    for v in range(visits):
        house = houses[v % len(houses)]
        learner.adapt(house.readings(8))
        track.append(learner.meta_step(house.readings(8)))
        if v % 40 == 39:
            rates = [round(lr.exp().item(), 4) for lr in learner.log_lr]
            print(f"visit {v + 1} query loss {sum(track[-40:]) / 40:.4f} step sizes {rates}")


if __name__ == "__main__":
    main()
