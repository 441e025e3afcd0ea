import torch.nn as nn
import torch.nn.functional as F


class DistillationLoss(nn.Module):
    def __init__(self, T, alpha):
        super().__init__()
        self.T, self.alpha = T, alpha

    def forward(self, logits, y, teachers):
        hard = F.cross_entropy(logits, y)
        log_p = F.log_softmax(logits / self.T, 1)
        soft = 0.0
        for t in teachers:
            target = F.softmax(t.detach() / self.T, 1)
            soft = soft + F.kl_div(log_p, target, reduction="batchmean") * self.T ** 2
        return (1 - self.alpha) * hard + self.alpha * soft / len(teachers)
