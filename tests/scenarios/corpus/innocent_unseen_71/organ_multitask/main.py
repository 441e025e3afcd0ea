# gradwatch-corpus: kind=none
"""Organ segmentation and age regression from the same synthetic scans, with the two
tasks' weights balanced by their gradients at the shared trunk."""
import torch

from balance import Balancer
from nets import AgeHead, MaskHead, Trunk, scans


class Step:
    def __init__(self):
        self.trunk, self.mask, self.age = Trunk(), MaskHead(), AgeHead()
        self.balancer = Balancer(["mask", "age"], alpha=0.8)
        self.opt_trunk = torch.optim.Adam(self.trunk.parameters(), lr=3e-3)
        self.opt_heads = torch.optim.SGD(
            [*self.mask.parameters(), *self.age.parameters()], lr=0.05, momentum=0.9)

    def __call__(self, img, mask, age):
        shared = self.trunk(img)
        losses = {
            "mask": torch.nn.functional.binary_cross_entropy_with_logits(self.mask(shared), mask),
            "age": torch.nn.functional.smooth_l1_loss(self.age(shared), age),
        }
        weights = self.balancer(losses, shared)
        self.opt_trunk.zero_grad()
        self.opt_heads.zero_grad()
        (weights["mask"] * losses["mask"]).backward(retain_graph=True)
        self.balancer.observe(self.trunk.last)
        (weights["age"] * losses["age"]).backward()
        self.opt_trunk.step()
        self.opt_heads.step()
        return losses


def main(steps=170):
    torch.set_num_threads(1)
    torch.manual_seed(19)
    gen = torch.Generator().manual_seed(20)
    step, losses = Step(), None
    for i in range(steps):
        losses = step(*scans(8, gen))
        if i % 30 == 0:
            parts = "  ".join(f"{k} {v.item():.4f}" for k, v in losses.items())
            print(f"{i:4d}  {parts}  {step.balancer}")


if __name__ == "__main__":
    main()
