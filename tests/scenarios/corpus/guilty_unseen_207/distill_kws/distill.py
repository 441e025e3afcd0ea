import torch
import torch.nn.functional as F


class Distiller:
    def __init__(self, student, teacher, temperature, decay):
        self.student, self.teacher = student, teacher.eval()
        self.t = temperature
        self.decay = decay
        self.agreement = 0.0
        self.optim = torch.optim.Adam(student.parameters(), lr=2e-3)

    def soft_targets(self, x):
        logits = self.teacher(x)  # <- culprit
        return F.softmax(logits.detach() / self.t, dim=-1)

    def step(self, x, y):
        soft = self.soft_targets(x)
        logits = self.student(x)
        hard = F.cross_entropy(logits, y)
        kd = F.kl_div(F.log_softmax(logits / self.t, dim=-1), soft, reduction="batchmean") * self.t**2
        loss = hard + 0.1 * kd
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        same = (logits.argmax(-1) == soft.argmax(-1)).float().mean().item()
        self.agreement = self.decay * self.agreement + (1 - self.decay) * same
        return {"hard": round(hard.item(), 4), "kd": round(kd.item(), 4), "agree": round(self.agreement, 3)}
