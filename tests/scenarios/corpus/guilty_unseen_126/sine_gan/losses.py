import torch
import torch.nn.functional as F


def d_loss_fn(D, real, fake):
    pred_real = D(real)
    pred_fake = D(fake)  # <- culprit
    return 0.5 * (F.binary_cross_entropy(pred_real, torch.ones_like(pred_real))
                  + F.binary_cross_entropy(pred_fake, torch.zeros_like(pred_fake)))


def g_loss_fn(D, fake):
    pred = D(fake)
    return F.binary_cross_entropy(pred, torch.ones_like(pred))
