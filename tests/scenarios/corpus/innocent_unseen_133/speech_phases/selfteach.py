import torch


def soft_targets(net, box, sharpen=0.7):
    while True:
        before = torch.is_grad_enabled()
        torch.set_grad_enabled(False)
        try:
            wave = box[0]
            target = (net(wave) / sharpen).softmax(-1)
            target = 0.95 * target + 0.05 / target.shape[-1]
        finally:
            torch.set_grad_enabled(before)
        yield target
