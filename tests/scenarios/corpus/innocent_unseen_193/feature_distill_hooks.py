# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F


class Tap:
    def __init__(self, module):
        self.outputs = []
        self.handle = module.register_forward_hook(lambda m, i, o: self.outputs.append(o))

    def pop(self):
        out = self.outputs[-1]
        self.outputs.clear()
        return out


def net(width):
    return nn.Sequential(nn.Linear(16, width), nn.ReLU(), nn.Linear(width, 24), nn.ReLU(), nn.Linear(24, 5))


def main(steps=440):
    torch.manual_seed(0)
    student, teacher = net(20), net(20)
    teacher.load_state_dict(student.state_dict())
    teacher.requires_grad_(False)
    taps = {"s": Tap(student[2]), "t": Tap(teacher[2])}
    opt = torch.optim.Adam(student.parameters(), lr=2e-3)
    w, log = torch.randn(16, 5), []
    for step in range(steps):
        x = torch.randn(48, 16)
        ce = F.cross_entropy(student(x), (x @ w).argmax(1))
        teacher(x + 0.1 * torch.randn_like(x))
        fs, ft = taps["s"].pop(), taps["t"].pop()
        loss = ce + 0.5 * (1 - F.cosine_similarity(fs, ft).mean())
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            for pt, ps in zip(teacher.parameters(), student.parameters()):
                pt.lerp_(ps, 0.01)
        log.append({"loss": loss.item(), "feat": fs.detach().std().item()})
        if step % 100 == 0:
            print(step, log[-1])


if __name__ == "__main__":
    main()
