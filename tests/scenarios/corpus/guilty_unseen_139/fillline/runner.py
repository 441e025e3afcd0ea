import torch
import torch.nn.functional as F

from .nets import draw_round


class Runner:
    def __init__(self, cfg, net, bus):
        self.cfg, self.net, self.bus = cfg, net, bus
        self.opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)

    def round(self):
        readings, truth = draw_round(self.cfg.bottles, self.cfg.sensors)
        guess = self.net(readings)
        loss = F.smooth_l1_loss(guess, truth)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        mae = (guess - truth).abs().mean().item()
        self.bus.emit("step", loss=loss, mae=mae)  # <- culprit
        return mae

    def run(self):
        for shift in range(self.cfg.shifts):
            maes = [self.round() for _ in range(self.cfg.rounds_per_shift)]
            self.bus.emit("shift-end", shift=shift, mae=sum(maes) / len(maes))
