# gradwatch-corpus: kind=second-backward
# holder: self.target | loss_fn.target | style_losses["conv1"].target | style_losses["conv2"].target | style_losses["conv3"].target
# first-bad: 1
# notice: 0
"""Neural style transfer (Gatys et al.), the optimised variable is the image itself."""
import argparse

import torch

from features import Features
from losses import ContentLoss, StyleLoss, total_variation


def synthetic_image(size, kind):
    """A gradient with a disc ('content') or diagonal stripes ('style')."""
    ys, xs = torch.meshgrid(torch.linspace(0, 1, size), torch.linspace(0, 1, size), indexing="ij")
    if kind == "content":
        disc = (((xs - 0.5) ** 2 + (ys - 0.5) ** 2) < 0.08).float()
        img = torch.stack([xs, ys, disc])
    else:
        stripes = 0.5 + 0.5 * torch.sin(40 * (xs + ys))
        img = torch.stack([stripes, 1 - stripes, 0.3 * torch.ones_like(xs)])
    return img.unsqueeze(0)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--size", type=int, default=32)
    ap.add_argument("--style-weight", type=float, default=1e4)
    ap.add_argument("--content-weight", type=float, default=1.0)
    ap.add_argument("--tv-weight", type=float, default=1e-2)
    args = ap.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(1)

    cnn = Features().eval()
    content = synthetic_image(args.size, "content")
    style = synthetic_image(args.size, "style")

    content_losses = {"conv3": ContentLoss(cnn(content)["conv3"])}
    style_losses = {name: StyleLoss(act) for name, act in cnn(style).items()}

    image = content.clone().requires_grad_(True)
    optimizer = torch.optim.Adam([image], lr=0.02)

    for step in range(args.steps):
        optimizer.zero_grad()
        acts = cnn(image)
        style_score = sum(loss_fn(acts[name]) for name, loss_fn in style_losses.items())
        content_score = sum(loss_fn(acts[name]) for name, loss_fn in content_losses.items())
        loss = (args.style_weight * style_score
                + args.content_weight * content_score
                + args.tv_weight * total_variation(image))
        loss.backward()  # <- culprit
        optimizer.step()
        image.data.clamp_(0, 1)
        if step % 10 == 0:
            print(f"step {step}: style {style_score.item():.6f} content {content_score.item():.4f}")


if __name__ == "__main__":
    main()
