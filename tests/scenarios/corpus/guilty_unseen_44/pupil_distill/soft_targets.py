import torch.nn.functional as F


def distill_loss(student_logits, teacher_logits, labels, temperature, alpha):
    log_p = F.log_softmax(student_logits / temperature, dim=1)
    q = F.softmax(teacher_logits / temperature, dim=1)
    soft = F.kl_div(log_p, q, reduction="batchmean") * temperature ** 2
    hard = F.cross_entropy(student_logits, labels)
    return alpha * soft + (1 - alpha) * hard
