# gradwatch-corpus: kind=none
"""Wind turbine alarms. Every few steps the activations and their gradients are taken for a Grad-CAM
check on a fixed probe batch, within a context manager."""
import contextlib

import torch
import torch.nn as nn
import torch.nn.functional as F


class AlarmNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.block1 = nn.Conv1d(4, 16, 7, padding=3)
        self.block2 = nn.Conv1d(16, 24, 5, padding=2, stride=2)
        self.cls = nn.Linear(24, 3)

    def forward(self, x):
        x = F.relu(self.block1(x))
        x = F.relu(self.block2(x))
        return self.cls(x.mean(-1))


def scada(n, gen):
    y = torch.randint(0, 3, (n,), generator=gen)
    x = 0.6 * torch.randn(n, 4, 96, generator=gen)
    t = torch.arange(96).float()
    onset = torch.randint(20, 70, (n,), generator=gen).float()
    after = (t[None, :] > onset[:, None]).float()
    x[:, 1] += after * (y == 1).float()[:, None]
    x[:, 2] += after * torch.sin(t) * (y == 2).float()[:, None] * 1.5
    return x, y, onset


@contextlib.contextmanager
def tap(module):
    seen = {}

    def fwd(mod, args, out):
        seen["act"] = out
        handle = out.register_hook(lambda g: seen.__setitem__("grad", g))
        seen["handle"] = handle

    registered = module.register_forward_hook(fwd)
    try:
        yield seen
    finally:
        registered.remove()
        if "handle" in seen:
            seen["handle"].remove()
        seen.clear()


def grad_cam(net, x, target):
    was_training = net.training
    net.eval()
    with tap(net.block2) as seen:
        score = net(x).gather(1, target[:, None]).sum()
        torch.autograd.grad(score, seen["act"])
        weight = seen["grad"].mean(-1, keepdim=True)
        cam = F.relu((weight * seen["act"].detach()).sum(1))
    net.train(was_training)
    return cam / cam.amax(dim=1, keepdim=True).clamp(min=1e-6)


class CamHistory:
    def __init__(self, keep=5):
        self.keep = keep
        self.items = []

    def push(self, step, cam):
        self.items.append((step, cam))
        del self.items[:-self.keep]

    def movement(self):
        if len(self.items) < 2:
            return 0.0
        return (self.items[-1][1] - self.items[-2][1]).abs().mean().item()


torch.manual_seed(29)
gen = torch.Generator().manual_seed(29)
net = AlarmNet()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
probe_x, probe_y, probe_onset = scada(12, gen)
cams = CamHistory()

for step in range(150):
    x, y, _ = scada(48, gen)
    loss = F.cross_entropy(net(x), y, label_smoothing=0.05)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 9:
        cams.push(step, grad_cam(net, probe_x, probe_y))
    if step % 30 == 29:
        print(f"step {step + 1:3d} loss {loss.item():.4f} cam movement {cams.movement():.4f}")

where = cams.items[-1][1].argmax(dim=1) * 2
late = (where[probe_y > 0].float() > probe_onset[probe_y > 0]).float().mean().item()
print(f"peak after the onset in {late:.0%} of the faulty probes")
