import torch

PAD, MASK, VOCAB = 0, 1, 34


def phrases(batch, longest=18):
    n = int(torch.randint(8, longest + 1, ()))
    start = torch.randint(0, 32, (batch, 1))
    stride = torch.randint(1, 4, (batch, 1))
    words = 2 + (start + stride * torch.arange(n)) % 32
    length = torch.randint(5, n + 1, (batch, 1))
    words[torch.arange(n) >= length] = PAD
    return words


def mask_out(words, share=0.2):
    hidden = (torch.rand(words.shape) < share) & words.ne(PAD)
    hidden[:, 1] = True
    shown = words.clone()
    shown[hidden] = MASK
    return shown, hidden
