# gradwatch-corpus: kind=none
# style transfer on a 16 x 16 picture, with LBFGS as in the well known tutorial
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(4)
torch.set_num_threads(1)

size = 16
grid = torch.linspace(0, 1, size)
style = torch.stack([torch.sin(20 * grid).expand(size, size) * 0.5 + 0.5,
                     torch.cos(14 * grid).expand(size, size).t() * 0.5 + 0.5,
                     torch.rand(size, size)]).unsqueeze(0)
content = torch.zeros(1, 3, size, size)
content[:, :, 4:12, 4:12] = 1
content[:, 0, 6:10, 6:10] = 0.2

net = nn.Sequential(
    nn.Conv2d(3, 8, 3, padding=1),
    nn.Tanh(),
    nn.Conv2d(8, 8, 3, padding=1),
    nn.Tanh(),
)
for p in net.parameters():
    p.requires_grad = False

seen = {}


def make_hook(i):
    def hook(module, inp, out):
        seen[i] = out
    return hook


net[1].register_forward_hook(make_hook("low"))
net[3].register_forward_hook(make_hook("high"))


def gram(t):
    t = t.view(8, -1)
    return t @ t.t() / t.numel()


net(style)
style_low = gram(seen["low"])
style_high = gram(seen["high"])
net(content)
content_high = seen["high"]

img = content.clone().requires_grad_(True)
optimizer = torch.optim.LBFGS([img], lr=0.5, max_iter=4, history_size=8)
calls = [0]
trace = []
best = {"loss": 1e9, "img": None}

for outer in range(60):
    weight = 50 if outer < 30 else 150

    def closure():
        optimizer.zero_grad()
        net(img)
        s = F.mse_loss(gram(seen["low"]), style_low) + F.mse_loss(gram(seen["high"]), style_high)
        c = F.mse_loss(seen["high"], content_high)
        tv = (img[:, :, 1:] - img[:, :, :-1]).abs().mean()
        loss = weight * s + c + 0.05 * tv
        loss.backward()
        calls[0] += 1
        trace.append((outer, loss.item()))
        if loss.item() < best["loss"]:
            best["loss"] = loss.item()
            best["img"] = img.detach().clone()
        return loss

    loss = optimizer.step(closure)
    with torch.no_grad():
        img.clamp_(0, 1)
    if outer % 10 == 0:
        print("outer", outer, "calls", calls[0], "loss", loss.item())

print("calls in all", calls[0], "best", best["loss"])
print("mean colour", best["img"].mean(dim=(0, 2, 3)).tolist())
