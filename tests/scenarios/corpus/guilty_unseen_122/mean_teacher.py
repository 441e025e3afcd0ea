# gradwatch-corpus: kind=graph-chain
# holder: self.weights | teacher.weights | self.weights[name]
# first-bad: 1
# notice: 5
"""Semi-supervised blobs with a mean teacher (Tarvainen & Valpola, heavily shrunk)."""
import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(314)


def blobs(n, k=4):
    centers = torch.tensor([[2., 0.], [0., 2.], [-2., 0.], [0., -2.]])
    y = torch.randint(0, k, (n,))
    return centers[y] + 0.6 * torch.randn(n, 2), y


class AveragedTeacher:
    def __init__(self, student, momentum=0.98):
        self.skeleton = student
        self.momentum = momentum
        self.weights = {name: p.detach().clone() for name, p in student.named_parameters()}

    def update(self):
        for name, p in self.skeleton.named_parameters():
            self.weights[name] = torch.lerp(self.weights[name], p, 1 - self.momentum)  # <- culprit

    def __call__(self, x):
        return functional_call(self.skeleton, self.weights, (x,))


student = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 4))
teacher = AveragedTeacher(student)
opt = torch.optim.Adam(student.parameters(), lr=5e-3)
x_lab, y_lab = blobs(12)
x_val, y_val = blobs(200)


def consistency(x):
    noisy = student(x + 0.2 * torch.randn_like(x)).softmax(-1)
    target = teacher(x + 0.2 * torch.randn_like(x)).softmax(-1)
    return (noisy - target).pow(2).mean()


for step in range(260):
    teacher.update()
    x_un, _ = blobs(32)
    ramp = min(1.0, step / 60)
    loss = nn.functional.cross_entropy(student(x_lab), y_lab) + 4 * ramp * consistency(x_un)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 65 == 64:
        with torch.no_grad():
            acc = (teacher(x_val).argmax(-1) == y_val).float().mean().item()
        print(f"step {step + 1} loss {loss.item():.3f} teacher acc {acc:.3f}")
