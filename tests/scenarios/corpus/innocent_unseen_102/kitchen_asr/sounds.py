import torch


def utterances(codebook, batch, n_tok=3, dwell=5):
    targets = torch.randint(1, codebook.size(0), (batch, n_tok))
    frames = codebook[targets].repeat_interleave(dwell, dim=1)
    frames = frames + 0.4 * torch.randn_like(frames)
    in_len = torch.full((batch,), n_tok * dwell, dtype=torch.long)
    out_len = torch.full((batch,), n_tok, dtype=torch.long)
    return frames.transpose(1, 2), targets, in_len, out_len
