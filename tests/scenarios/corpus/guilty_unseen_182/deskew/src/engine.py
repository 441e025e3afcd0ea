import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, net, cfg):
        self.net = net
        self.cfg = cfg
        self.opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)

    def step(self, batch, step):
        img, label, angle = batch
        logits, pred_angle = self.net(img)
        self.opt.zero_grad()

        cls_loss = F.cross_entropy(logits, label)
        cls_loss.backward()  # <- culprit
        stats = {"cls": cls_loss.item()}

        if (step + 1) % self.cfg.aux_every == 0:
            rot_loss = self.cfg.aux_weight * F.mse_loss(pred_angle, angle)
            rot_loss.backward()  # <- culprit
            stats["rot"] = rot_loss.item()

        self.opt.step()
        stats["acc"] = (logits.argmax(1) == label).float().mean().item()
        return stats
