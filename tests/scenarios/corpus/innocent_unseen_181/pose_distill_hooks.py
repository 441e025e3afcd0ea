# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F

# distil a wide pose regressor into a narrow one, matching the hidden layers
torch.manual_seed(15)

JOINTS = 7
IN = 40


def mlp(width):
    return nn.Sequential(
        nn.Linear(IN, width), nn.ReLU(),
        nn.Linear(width, width), nn.ReLU(),
        nn.Linear(width, 2 * JOINTS),
    )


class FeatureTap:
    def __init__(self, model, layers):
        self.features = {}
        self.norms = {name: [] for name in layers}
        for name in layers:
            model.get_submodule(name).register_forward_hook(self.save(name))

    def save(self, name):
        def fn(module, inp, out):
            self.features[name] = out
            self.norms[name].append(out.norm(dim=1).mean())
            if len(self.norms[name]) > 25:
                self.norms[name].pop(0)
        return fn

    def mean_norm(self, name):
        vals = self.norms[name]
        return (sum(v.item() for v in vals) / len(vals)) if vals else 0.0


teacher = mlp(64)
student = mlp(16)
adapters = nn.ModuleList([nn.Linear(16, 64), nn.Linear(16, 64)])
t_tap = FeatureTap(teacher, ["1", "3"])
s_tap = FeatureTap(student, ["1", "3"])

basis = torch.randn(JOINTS * 2, IN) / IN ** 0.5


def frames(n):
    pose = torch.randn(n, 2 * JOINTS)
    return torch.tanh(pose @ basis * 2) + 0.05 * torch.randn(n, IN), pose


opt_t = torch.optim.Adam(teacher.parameters(), lr=1e-3)
for i in range(150):
    x, pose = frames(64)
    loss = F.mse_loss(teacher(x), pose)
    opt_t.zero_grad()
    loss.backward()
    opt_t.step()
print("teacher", round(loss.item(), 4))
for p in teacher.parameters():
    p.requires_grad = False

opt_s = torch.optim.Adam([*student.parameters(), *adapters.parameters()], lr=2e-3)
history = []
best = None
for i in range(600):
    x, pose = frames(64)
    soft = teacher(x)
    pred = student(x)

    hint = 0.0
    for adapt, name in zip(adapters, ["1", "3"]):
        hint = hint + F.smooth_l1_loss(adapt(s_tap.features[name]), t_tap.features[name])
    task = F.mse_loss(pred, pose)
    kd = F.mse_loss(pred, soft)
    total = task + 0.5 * kd + 0.1 * hint

    opt_s.zero_grad()
    total.backward()
    opt_s.step()

    history.append([task.item(), kd.item(), hint.item()])
    if best is None or total < best:
        best = total
    if i % 100 == 0:
        print(
            f"{i} task {task.item():.4f} kd {kd.item():.4f} hint {hint.item():.4f} "
            f"norms {s_tap.mean_norm('1'):.2f}/{t_tap.mean_norm('1'):.2f} best {best.item():.4f}"
        )
