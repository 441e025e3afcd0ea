import torch
import torch.nn.functional as F


class SemiSupervisedTrainer:
    def __init__(self, cfg, student, teacher):
        self.cfg = cfg
        self.student = student
        self.teacher = teacher
        self.opt = torch.optim.AdamW(student.parameters(), lr=cfg.lr)

    def _consistency(self, weak, strong):
        return F.mse_loss(self.student(strong), self.teacher.predict(weak))

    def train_step(self, labelled, unlabelled):
        x, y = labelled
        supervised = F.mse_loss(self.student(x), y)
        consistency = self._consistency(*unlabelled)
        loss = supervised + self.cfg.consistency * consistency
        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.student.parameters(), 1.0)
        self.opt.step()
        self.teacher.update()
        return {"supervised": supervised.item(), "consistency": consistency.item()}
