# gradwatch-corpus: kind=crashed
# holder: canvas
# first-bad: 25
# notice: 0
# Texture synthesis for the weaving studio (after Gatys), random filters in place of VGG.
import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(0)

filters = [torch.randn(6, 3, 3, 3) * 0.3, torch.randn(10, 6, 3, 3) * 0.2]


def gram_stack(img):
    grams, z = [], img
    for w in filters:
        z = F.relu(F.conv2d(z, w, padding=1))
        flat = z.flatten(2)
        grams.append(flat @ flat.transpose(1, 2) / flat.shape[-1])
        z = F.avg_pool2d(z, 2)
    return grams


def swatch(side=16):
    yy, xx = torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij")
    weave = ((yy // 2 + xx // 3) % 2).float()
    return torch.stack([weave, 1 - weave, 0.5 * weave]).unsqueeze(0)


def clean_up(img):
    # colours out of the dye range look bad on the loom
    return img.clamp(0.0, 1.0).detach()  # <- culprit


goal = [g.detach() for g in gram_stack(swatch())]
canvas = torch.rand(1, 3, 16, 16, requires_grad=True)
opt = torch.optim.Adam([canvas], lr=0.02)

for it in range(500):
    opt.zero_grad()
    loss = sum(F.mse_loss(a, b) for a, b in zip(gram_stack(canvas), goal))
    loss.backward()
    opt.step()
    if (it + 1) % 25 == 0:
        canvas = clean_up(canvas)  # <- culprit
        print(f"{it + 1:4d}  gram loss {loss.item():.5f}")
