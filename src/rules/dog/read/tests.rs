//! Lines as leaders write them.
