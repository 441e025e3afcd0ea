import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

from .registry import MODELS


@MODELS.register_module
class MeanTeacher(nn.Module):
    def __init__(self, in_dim=12, num_classes=4, consistency=1.0):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(in_dim, 24), nn.Tanh(), nn.Linear(24, num_classes))
        self.consistency = consistency

    def loss(self, labelled, labels, unlabelled, teacher_params):
        ce = F.cross_entropy(self.backbone(labelled), labels)
        student = self.backbone(unlabelled + 0.1 * torch.randn_like(unlabelled))
        teacher = functional_call(self.backbone, teacher_params, (unlabelled,))
        cons = F.mse_loss(student.softmax(-1), teacher.softmax(-1))
        return {"loss_ce": ce, "loss_cons": self.consistency * cons}
