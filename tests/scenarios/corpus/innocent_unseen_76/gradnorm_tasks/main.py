# gradwatch-corpus: kind=none
import torch
import torch.nn as nn

from gradnorm import GradNorm
from tasks import ToyTasks

torch.set_num_threads(1)


class MultiHead(nn.Module):
    def __init__(self, d=16, h=48, outs=(10, 10, 10)):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, h))
        self.heads = nn.ModuleList(nn.Linear(h, o) for o in outs)

    @property
    def last_shared(self):
        return self.trunk[-1].weight

    def forward(self, x):
        z = torch.relu(self.trunk(x))
        return [head(z) for head in self.heads]


def main(steps=200):
    torch.manual_seed(17)
    tasks = ToyTasks()
    net = MultiHead()
    balancer = GradNorm(n_tasks=3, alpha=0.8)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step in range(steps):
        x, ys = tasks.batch(32)
        losses = torch.stack([(p - y).pow(2).mean() for p, y in zip(net(x), ys)])
        opt.zero_grad()
        total = balancer.weighted(losses)
        total.backward(retain_graph=True)
        balancer.update(losses, net.last_shared)
        opt.step()
        balancer.renormalise()
        if step % 40 == 0:
            print(step, [round(v, 3) for v in losses.tolist()], [round(w, 3) for w in balancer.weights.tolist()])
    print("slow ratios", [round(r, 3) for r in balancer.slow_ratio.tolist()])


if __name__ == "__main__":
    main()
