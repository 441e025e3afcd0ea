# gradwatch-corpus: kind=second-backward
# holder: losses | losses[name] | shared | h | loss
# first-bad: 30
# notice: 0
import torch

from balance import NormBalancer
from nets import TurbineNet
from tasks import TASKS, make_data, task_losses


class Loop:
    def __init__(self, net, balancer, lr=2e-3):
        self.net, self.balancer = net, balancer
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.n = 0

    def step(self, batch):
        x, targets = batch
        losses = task_losses(self.net(x), targets)
        if self.balancer.due(self.n):
            self.balancer.update(losses)
        total = self.balancer.combine(losses)
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self.n += 1
        return {k: v.item() for k, v in losses.items()}


def main():
    torch.set_num_threads(1)
    torch.manual_seed(77)
    x, targets = make_data(800)
    net = TurbineNet(x.size(1), TASKS)
    loop = Loop(net, NormBalancer(TASKS, net.trunk[-2].weight, start=30, every=5))
    for i in range(240):
        idx = torch.randint(0, x.size(0), (32,))
        logs = loop.step((x[idx], {k: t[idx] for k, t in targets.items()}))
        if i % 20 == 0:
            print(i, " ".join(f"{k}:{v:.3f}" for k, v in logs.items()),
                  "w", [round(v, 2) for v in loop.balancer.weights.values()])


if __name__ == "__main__":
    main()
