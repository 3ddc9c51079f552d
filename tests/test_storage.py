"""The memory of a tensor as bytes."""

import pytest

import minigrad as torch
from tests.checking import refuses


def test_views_share_it():
    x = torch.arange(6, dtype=torch.int16).view(2, 3)
    whole = x.untyped_storage()
    assert whole.nbytes() == len(whole) == whole.size() == 12 and whole.data_ptr() == x.data_ptr()
    for view in (x[1:], x.T, x[:, 1], x.flip(0)[:0].T if False else x.t()[1]):
        assert view.untyped_storage().data_ptr() == x.data_ptr() and view.untyped_storage().nbytes() == 12
    assert (x + 0).untyped_storage().data_ptr() != x.data_ptr()
    assert x.T.contiguous().T.untyped_storage().tolist() == x.T.contiguous().untyped_storage().tolist()


def test_a_write_is_seen_by_the_tensor_and_by_autograd():
    x = torch.zeros(2, dtype=torch.uint8)
    x.untyped_storage()[1] = 7
    assert x.tolist() == [0, 7]
    y = torch.ones(2, requires_grad=True)
    z = y * 1
    w = z * z
    z.detach().untyped_storage().fill_(0)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        w.sum().backward()


def test_without_a_tensor():
    storage = torch.UntypedStorage(3)
    assert storage.tolist() == [0, 0, 0] and storage.copy_(torch.UntypedStorage([1, 2, 3]))[1:].tolist() == [2, 3]
    assert [*storage.clone()] == [1, 2, 3] and storage.cpu() is storage and storage.element_size() == 1
    assert storage.resize_(3) is storage and not storage.is_shared() and storage.device == torch.device("cpu")
    assert repr(storage) == "1 2 3\n[torch.storage.UntypedStorage(device=cpu) of size 3]"
    with refuses(RuntimeError, "cannot have 4", "MG211"):
        storage.resize_(4)
    with refuses(RuntimeError, "size does not match", "MG211"):
        storage.copy_(torch.UntypedStorage(2))
    with pytest.raises(IndexError):
        storage[3]


def test_shared_memory_says_so():
    x = torch.ones(2)
    assert not x.untyped_storage().is_shared()
    x.share_memory_()
    assert x.untyped_storage().is_shared()
