import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from images import lowres_pairs

bce = nn.BCEWithLogitsLoss()


def psnr(a, b):
    mse = F.mse_loss(a, b).item()
    return 10 * math.log10(4.0 / mse)


def train_one_epoch(G, D, opt_G, opt_D, steps, batch_size, epoch):
    G.train()
    D.train()
    sums = {"d": 0.0, "g": 0.0}
    for i in range(steps):
        lr_img, hr_img = lowres_pairs(batch_size)
        ones = torch.ones(batch_size)
        zeros = torch.zeros(batch_size)

        sr_img = G(lr_img)
        pred_real = D(hr_img)
        pred_fake = D(sr_img)  # <- culprit

        d_loss = 0.5 * (bce(pred_real, ones) + bce(pred_fake, zeros))
        opt_D.zero_grad()
        d_loss.backward(retain_graph=True)
        opt_D.step()  # <- culprit

        content = F.l1_loss(sr_img, hr_img)
        adv = bce(pred_fake, ones)  # <- culprit
        g_loss = content + 1e-2 * adv
        opt_G.zero_grad()
        g_loss.backward()
        opt_G.step()

        sums["d"] += d_loss.item()
        sums["g"] += g_loss.item()
        if i % 10 == 0:
            print("[%d, %d] d_loss %.4f g_loss %.4f" % (epoch, i, d_loss.item(), g_loss.item()))
    return {k: v / steps for k, v in sums.items()}
