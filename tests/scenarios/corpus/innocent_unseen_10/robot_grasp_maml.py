# gradwatch-corpus: kind=none
"""Meta-learned grasp quality: each gripper is a task, two inner steps, second-order MAML.
The fast weights are kept on the learner so that the demo can use them after a meta-step."""
import torch
from torch import nn
from torch.func import functional_call
import torch.nn.functional as F


class Gripper:
    """A random quality function over (approach angle, width, offset)."""

    def __init__(self, g):
        self.freq = 1 + torch.rand(3, generator=g)
        self.phase = torch.rand(3, generator=g) * 3
        self.g = g

    def grasps(self, n):
        x = torch.rand(n, 3, generator=self.g) * 2 - 1
        quality = torch.sin(self.freq * x + self.phase).sum(1, keepdim=True)
        return x, quality


class QualityNet(nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.l1 = nn.Linear(3, h)
        self.l2 = nn.Linear(h, h)
        self.l3 = nn.Linear(h, 1)

    def forward(self, x):
        return self.l3(torch.tanh(self.l2(torch.tanh(self.l1(x)))))


class MetaLearner:
    def __init__(self, net, inner_lr=0.05, inner_steps=2, meta_lr=2e-3):
        self.net = net
        self.log_lr = nn.ParameterDict({
            n.replace(".", "_"): nn.Parameter(torch.tensor(inner_lr).log()) for n, _ in net.named_parameters()
        })
        self.inner_steps = inner_steps
        self.opt = torch.optim.Adam([*net.parameters(), *self.log_lr.parameters()], lr=meta_lr)
        self.fast = {}

    def adapt(self, x, y):
        self.fast = dict(self.net.named_parameters())
        for _ in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.net, self.fast, (x,)), y)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=True)
            self.fast = {
                n: w - self.log_lr[n.replace(".", "_")].exp() * g
                for (n, w), g in zip(self.fast.items(), grads)
            }
        return self.fast

    def meta_step(self, grippers, shots=10):
        outer = []
        for gripper in grippers:
            fast = self.adapt(*gripper.grasps(shots))
            x, y = gripper.grasps(shots)
            outer.append(F.mse_loss(functional_call(self.net, fast, (x,)), y))
        loss = torch.stack(outer).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.fast = {n: w.detach() for n, w in self.fast.items()}
        return loss.item()

    @torch.no_grad()
    def demo(self, x):
        return functional_call(self.net, self.fast, (x,)).squeeze(-1)


def main(meta_steps=240, tasks=3):
    torch.manual_seed(130)
    g = torch.Generator().manual_seed(131)
    learner = MetaLearner(QualityNet())
    avg = None
    probe = torch.zeros(1, 3)
    for step in range(meta_steps):
        loss = learner.meta_step([Gripper(g) for _ in range(tasks)])
        avg = loss if avg is None else 0.95 * avg + 0.05 * loss
        if step % 40 == 39:
            lrs = [p.exp().item() for p in learner.log_lr.values()]
            print(f"{step + 1:4d} loss {avg:.4f}  lr {min(lrs):.3f}..{max(lrs):.3f}  demo {learner.demo(probe).item():+.3f}")


if __name__ == "__main__":
    main()
