# gradwatch-corpus: kind=graph-held
# holder: features | taps["student"]
# first-bad: 41
"""FitNets-style hint distillation between two small convnets."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def convnet(width, classes=5):
    return nn.Sequential(
        nn.Conv2d(1, width, 3, stride=2, padding=1), nn.BatchNorm2d(width), nn.ReLU(),
        nn.Conv2d(width, width * 2, 3, stride=2, padding=1), nn.BatchNorm2d(width * 2), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width * 2, classes),
    )


def make_data(n=960, classes=5, seed=5):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, classes, (n,), generator=g)
    proto = torch.randn(classes, 1, 12, 12, generator=g)
    return TensorDataset(proto[y] + torch.randn(n, 1, 12, 12, generator=g), y)


def attach_tap(layer):
    features = []

    def hook(module, inputs, output):
        features.append(output)  # <- culprit

    layer.register_forward_hook(hook)
    return features


def pretrain_teacher(teacher, loader, epochs=2):
    opt = torch.optim.SGD(teacher.parameters(), lr=0.05, momentum=0.9)
    for _ in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            F.cross_entropy(teacher(x), y).backward()
            opt.step()
    return teacher.eval().requires_grad_(False)


def distill(teacher, student, loader, epochs=25, T=3.0, alpha=0.7, hint_weight=0.5):
    taps = {"teacher": attach_tap(teacher[5]), "student": attach_tap(student[5])}
    adapter = nn.Conv2d(16, 32, 1)
    params = list(student.parameters()) + list(adapter.parameters())
    opt = torch.optim.SGD(params, lr=0.05, momentum=0.9)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=10, gamma=0.3)
    for epoch in range(epochs):
        running = correct = seen = 0
        for x, y in loader:
            with torch.no_grad():
                t_logits = teacher(x)
            s_logits = student(x)
            kd = F.kl_div(F.log_softmax(s_logits / T, 1), F.softmax(t_logits / T, 1), reduction="batchmean") * T * T
            hint = F.mse_loss(adapter(taps["student"][-1]), taps["teacher"][-1])
            loss = alpha * kd + (1 - alpha) * F.cross_entropy(s_logits, y) + hint_weight * hint
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item() * len(y)
            correct += (s_logits.argmax(1) == y).sum().item()
            seen += len(y)
        taps["teacher"].clear()
        sched.step()
        if epoch % 5 == 0:
            print(f"epoch {epoch:2d} loss {running / seen:.4f} acc {correct / seen:.3f}")


def main():
    torch.manual_seed(1)
    loader = DataLoader(make_data(), batch_size=48, shuffle=True)
    teacher = pretrain_teacher(convnet(16), loader)
    student = convnet(8)
    distill(teacher, student, loader)


if __name__ == "__main__":
    main()
