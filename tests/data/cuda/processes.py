"""Tensors of one process in another, by torch.multiprocessing: both see what either writes."""
import torch
import torch.multiprocessing as processes


def child(given, back, ended):
    tensor = given.get()
    assert tensor.is_cuda and tensor.sum().item() == 1000 * 1000
    tensor.mul_(2)
    torch.cuda.synchronize()
    mine = torch.arange(5, device='cuda')
    back.put(mine)
    ended.wait()


def main():
    context = processes.get_context('spawn')
    given, back, ended = context.Queue(), context.Queue(), context.Event()
    other = context.Process(target=child, args=(given, back, ended))
    other.start()
    tensor, neighbour = torch.ones(1000, 1000, device='cuda'), torch.ones(10, device='cuda')
    given.put(tensor)
    got = back.get()
    assert got.tolist() == [0, 1, 2, 3, 4]
    assert tensor.sum().item() == 2 * 1000 * 1000 and neighbour.sum().item() == 10
    del got
    ended.set()
    other.join()
    assert other.exitcode == 0
    print('right')


if __name__ == '__main__':
    main()
