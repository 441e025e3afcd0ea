import torch.nn.functional as F

TASK_LOSSES = {
    "rain": F.l1_loss,
    "storm": F.binary_cross_entropy_with_logits,
    "mean": F.mse_loss,
}
