# gradwatch-corpus: kind=none
# style transfer the old way: LBFGS on pixels, with taps on the layers
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1853)

PIX = 28
ROUNDS = 14

seen = {}
handles = []
curve = []

eye = nn.Sequential(
    nn.Conv2d(3, 10, 3, padding=1),
    nn.ELU(),
    nn.AvgPool2d(2),
    nn.Conv2d(10, 20, 3, padding=1),
    nn.ELU(),
    nn.Conv2d(20, 20, 3, padding=1),
)
eye.requires_grad_(False)
STYLE_LAYERS = [0, 3, 5]
CONTENT_LAYER = 3


def plug_in():
    for i in STYLE_LAYERS:
        handles.append(eye[i].register_forward_hook(lambda m, a, out, i=i: seen.__setitem__(i, out)))


def unplug():
    while handles:
        handles.pop().remove()
    seen.clear()


def gram(f):
    v = f.flatten(2).squeeze(0)
    return (v @ v.t()) / v.shape[1]


def brush_strokes():
    y, x = torch.meshgrid(torch.linspace(0, 6, PIX), torch.linspace(0, 6, PIX), indexing="ij")
    a = torch.sin(2 * x + torch.cos(y))
    b = torch.cos(x - 2 * y)
    return (torch.stack([a, b, a * b]) * 0.5 + 0.5)[None]


def hills():
    y, x = torch.meshgrid(torch.linspace(1, 0, PIX), torch.linspace(0, 6, PIX), indexing="ij")
    ground = (y < 0.4 + 0.15 * torch.sin(x)).float()
    return torch.stack([0.3 * ground + 0.1, 0.6 * ground + 0.2, 1 - ground])[None]


def smoothness(img):
    return (img[..., 1:] - img[..., :-1]).pow(2).mean() + (img[..., 1:, :] - img[..., :-1, :]).pow(2).mean()


plug_in()
eye(brush_strokes())
style_goal = {i: gram(seen[i]) for i in STYLE_LAYERS}
eye(hills())
content_goal = seen[CONTENT_LAYER].clone()

canvas = hills().add_(0.05 * torch.randn(1, 3, PIX, PIX)).requires_grad_(True)
opt = torch.optim.LBFGS([canvas], lr=0.5, max_iter=6, history_size=8)
knobs = {"style": 30.0, "content": 1.0, "smooth": 0.2}


def closure():
    opt.zero_grad()
    eye(canvas)
    style = sum(F.mse_loss(gram(seen[i]), style_goal[i]) for i in STYLE_LAYERS)
    content = F.mse_loss(seen[CONTENT_LAYER], content_goal)
    loss = knobs["style"] * style + knobs["content"] * content + knobs["smooth"] * smoothness(canvas)
    loss.backward()
    curve.append((style.item(), content.item(), loss.item()))
    return loss


snapshots = []
for r in range(ROUNDS):
    opt.step(closure)
    with torch.no_grad():
        canvas.clamp_(0, 1)
    snapshots.append(canvas.detach().clone())
    snapshots = snapshots[-3:]
    if r % 3 == 0:
        s, c, l = curve[-1]
        print(f"round {r:2d} evals {len(curve):3d} style {s:.5f} content {c:.5f} loss {l:.5f}")

unplug()
shift = (snapshots[-1] - snapshots[0]).abs().mean().item()
print("change over the last rounds: %.5f" % shift, "hooks left:", len(handles))
