# gradwatch-corpus: kind=none
# Rhythm classifier on ECG strips; a Grad-CAM check every few steps with hooks that are taken off again.
import torch
from torch import nn

torch.manual_seed(44)

LENGTH = 160
CLASSES = 3
STEPS = 90
CHECK_EVERY = 10


def strips(n):
    y = torch.randint(0, CLASSES, (n,))
    t = torch.linspace(0, 6.28, LENGTH)
    freq = torch.tensor([3.0, 6.0, 9.0])[y].unsqueeze(1)
    x = torch.sin(freq * t + torch.rand(n, 1) * 6.28) + 0.5 * torch.randn(n, LENGTH)
    return x.unsqueeze(1), y


class RhythmNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, 12, 9, stride=2, padding=4),
            nn.ReLU(),
            nn.Conv1d(12, 16, 7, stride=2, padding=3),
            nn.ReLU(),
        )
        self.head = nn.Linear(16, CLASSES)

    def forward(self, x):
        return self.head(self.features(x).mean(-1))


class GradCam:
    def __init__(self, layer):
        self.layer = layer
        self.kept = {}
        self.handle = None

    def __enter__(self):
        def save(module, inputs, output):
            self.kept["act"] = output

        self.handle = self.layer.register_forward_hook(save)
        return self

    def __exit__(self, *exc):
        self.handle.remove()
        self.kept.clear()

    def heatmap(self, model, x):
        logits = model(x)
        act = self.kept["act"]
        (grad,) = torch.autograd.grad(logits.max(1).values.sum(), act)
        weight = grad.mean(-1, keepdim=True)
        return torch.relu((weight * act.detach()).sum(1))


model = RhythmNet()
opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
audit = {"step": [], "focus": []}
losses = []

for step in range(STEPS):
    x, y = strips(32)
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
    if step % CHECK_EVERY == 0:
        with GradCam(model.features) as cam:
            heat = cam.heatmap(model, x[:4])
        audit["step"].append(step)
        audit["focus"].append((heat.max(1).values / (heat.mean(1) + 1e-6)).mean().item())

print(f"loss {losses[0]:.3f} -> {losses[-1]:.3f}")
print(" ".join(f"{s}:{f:.2f}" for s, f in zip(audit["step"], audit["focus"])))
