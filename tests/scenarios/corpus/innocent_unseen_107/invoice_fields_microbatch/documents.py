import torch


def documents(n_feat, n_tags):
    w = torch.randn(n_feat, n_tags)
    while True:
        n = int(torch.randint(5, 25, ()))
        tokens = torch.randn(n, n_feat)
        score = tokens @ w
        score[1:] += 0.5 * (tokens @ w)[:-1]      # the previous token matters too
        yield tokens, score.argmax(1)
